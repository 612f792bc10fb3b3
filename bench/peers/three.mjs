// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * three.js and bindpose on the CPU, beside each other: the first clip of a .glb at 60 frames a
 * second, from the clip to posed vertices of every skinned mesh.
 *
 *     npm ci && node three.mjs [--play PROGRAM] FILE.glb...
 *
 * PROGRAM is bench_play, by default that of the release build. For some frames the positions of the
 * two are compared first; more than 1e-4 of the model's size apart, and the status is 1.
 *
 * The stages of three.js:
 *     sample   AnimationMixer.setTime
 *     pose     Object3D.updateMatrixWorld for the scene, Skeleton.update for each skin
 *     skin     SkinnedMesh.getVertexPosition for each vertex: all that its API has for this.
 *              (SkinnedMesh.computeBoundingBox and BufferGeometryUtils.computeMorphedAttributes
 *              have the same inside, the latter for each corner of each triangle.)
 *     loop     what a user could write in place of that: a plain loop over typed arrays
 * Positions come out in the mesh's space from getVertexPosition, in the scene's from the others.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AnimationMixer, REVISION, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const FRAME_RATE = 60;
const ROUNDS = 5;
const WARM_UP_MS = 1500; // for the compiler of the machine
const TIMED_MS = 100;
const TOLERANCE = 1e-4;

const STAGES = ['sample', 'pose', 'skin', 'loop'];

// ---- three.js ----------------------------------------------------------------------------------

// Node has no images to decode textures with, and nothing here looks at them.
const withoutTextures = () => ({ name: 'no textures', loadTexture: () => Promise.resolve(null) });

// An attribute as plain floats, whatever it is stored as.
function floatsOf(attribute, width) {
    const floats = new Float32Array(width * attribute.count);
    for (let i = 0; i < attribute.count; i++)
        for (let k = 0; k < width; k++) floats[width * i + k] = attribute.getComponent(i, k);
    return floats;
}

// The node of the file that a mesh belongs to; a mesh of several primitives is a group there.
function nodeOf(associations, object) {
    while (associations.get(object)?.nodes === undefined) object = object.parent;
    return associations.get(object).nodes;
}

// A skinned mesh, and its arrays for the loop.
function drawOf(associations, mesh) {
    const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
    return {
        mesh,
        node: nodeOf(associations, mesh),
        primitive: associations.get(mesh)?.primitives ?? 0,
        rest: floatsOf(position, 3),
        morphed: new Float32Array(3 * position.count),
        targets: (mesh.geometry.morphAttributes.position ?? []).map((a) => floatsOf(a, 3)),
        joints: Uint16Array.from(floatsOf(skinIndex, 4)),
        weights: floatsOf(skinWeight, 4),
        positions: new Float32Array(3 * position.count),
    };
}

async function load(path) {
    const bytes = readFileSync(path);
    const loader = new GLTFLoader().register(withoutTextures);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const gltf = await loader.parseAsync(file, '');
    if (gltf.animations.length === 0) throw new Error(`${path}: there is no clip`);
    const draws = [];
    gltf.scene.traverse((object) => {
        if (object.isSkinnedMesh) draws.push(drawOf(gltf.parser.associations, object));
    });
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).play();
    const skeletons = new Set(draws.map((draw) => draw.mesh.skeleton));
    return { scene: gltf.scene, mixer, draws, skeletons };
}

const vertex = new Vector3();

function skin({ mesh, positions }) {
    for (let i = 0, k = 0; k < positions.length; i++, k += 3) {
        mesh.getVertexPosition(i, vertex);
        positions[k] = vertex.x;
        positions[k + 1] = vertex.y;
        positions[k + 2] = vertex.z;
    }
}

// The rest positions with the morph targets that have weight, as getVertexPosition adds them.
function morph({ mesh, rest, morphed, targets }) {
    let base = rest;
    for (let t = 0; t < targets.length; t++) {
        const target = targets[t];
        const weight = mesh.morphTargetInfluences[t];
        if (weight === 0) continue;
        for (let k = 0; k < morphed.length; k++) morphed[k] = base[k] + weight * target[k];
        base = morphed;
    }
    return base;
}

// The bind matrix of a glTF file's mesh is the identity, so that the bone matrices are all.
function skinByLoop(draw) {
    const { mesh, joints, weights, positions } = draw;
    const base = morph(draw);
    const bones = mesh.skeleton.boneMatrices;
    for (let i = 0, k = 0; k < positions.length; i += 4, k += 3) {
        const x = base[k], y = base[k + 1], z = base[k + 2];
        let px = 0, py = 0, pz = 0;
        for (let slot = i; slot < i + 4; slot++) {
            const w = weights[slot];
            if (w === 0) continue;
            const m = 16 * joints[slot];
            px += w * (bones[m] * x + bones[m + 4] * y + bones[m + 8] * z + bones[m + 12]);
            py += w * (bones[m + 1] * x + bones[m + 5] * y + bones[m + 9] * z + bones[m + 13]);
            pz += w * (bones[m + 2] * x + bones[m + 6] * y + bones[m + 10] * z + bones[m + 14]);
        }
        positions[k] = px;
        positions[k + 1] = py;
        positions[k + 2] = pz;
    }
}

// A frame up to `stage`; the last two are two ways to do the same.
function playFrame(model, frame, stage) {
    model.mixer.setTime(frame / FRAME_RATE);
    if (stage === 'sample') return;
    model.scene.updateMatrixWorld();
    for (const skeleton of model.skeletons) skeleton.update();
    if (stage === 'skin') for (const draw of model.draws) skin(draw);
    if (stage === 'loop') for (const draw of model.draws) skinByLoop(draw);
}

// ---- time --------------------------------------------------------------------------------------

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

// Microseconds a frame. Of two clocks the one that is kinder to three.js: the wall's counts what
// other programs did meanwhile, the process's what its collector and compiler did on other threads.
function timeFrames(model, frames, count, stage) {
    const wall = performance.now();
    const cpu = process.cpuUsage();
    for (let i = 0; i < count; i++) playFrame(model, i % frames, stage);
    const used = process.cpuUsage(cpu);
    return Math.min(1e3 * (performance.now() - wall), used.user + used.system) / count;
}

// How many frames, in whole passes through the clip, take TIMED_MS; after the warm-up.
function framesToTime(model, frames, stage) {
    const end = performance.now() + WARM_UP_MS;
    let last;
    do last = timeFrames(model, frames, frames, stage);
    while (performance.now() < end);
    return frames * Math.ceil((1e3 * TIMED_MS) / (last * frames));
}

// ---- bindpose ----------------------------------------------------------------------------------

const play = (program, ...options) =>
    JSON.parse(execFileSync(program, options, { maxBuffer: 1 << 30, encoding: 'utf8' }));

// ---- both --------------------------------------------------------------------------------------

// The greatest distance along an axis between posed vertices, as a part of the model's size.
function difference(model, program, path, frame, stage) {
    const ours = play(program, '--dump', `${frame}`, path);
    if (ours.length !== model.draws.length)
        throw new Error(`${path}: ${ours.length} skinned primitives, not ${model.draws.length}`);
    playFrame(model, frame, stage);
    let worst = 0, least = Infinity, most = -Infinity;
    for (const { mesh, node, primitive, positions } of model.draws) {
        const match = ours.find((draw) => draw.node === node && draw.primitive === primitive);
        if (match?.positions.length !== positions.length)
            throw new Error(`${path}: node ${node}, primitive ${primitive}: other vertices`);
        for (let k = 0; k < positions.length; k += 3) {
            vertex.fromArray(positions, k);
            if (stage === 'skin') mesh.localToWorld(vertex);
            vertex.toArray().forEach((value, axis) => {
                worst = Math.max(worst, Math.abs(value - match.positions[k + axis]));
                least = Math.min(least, value);
                most = Math.max(most, value);
            });
        }
    }
    return worst / (most - least);
}

function measure(model, program, path, frames) {
    const counts = STAGES.map((stage) => framesToTime(model, frames, stage));
    const theirs = STAGES.map(() => []);
    const ours = ['sample_ns', 'pose_ns', 'skin_ns'].map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
        STAGES.forEach((stage, i) =>
            theirs[i].push(timeFrames(model, frames, counts[i], stage)));
        const row = play(program, path);
        [row.sample_ns, row.pose_ns, row.skin_ns].forEach((ns, i) => ours[i].push(ns / 1e3));
    }
    const [sample, pose, whole, wholeByLoop] = theirs.map(median);
    const [ourSample, ourPose, ourSkin] = ours.map(median);
    const ourWhole = ourSample + ourPose + ourSkin;
    // Each run goes from sampling to its stage, so a stage is what it adds.
    return [
        ['sample', sample, ourSample],
        ['pose', pose - sample, ourPose],
        ['skin', whole - pose, ourSkin],
        ['skin by loop', wholeByLoop - pose, ourSkin],
        ['sample + skin', sample + whole - pose, ourSample + ourSkin],
        ['frame', whole, ourWhole],
        ['frame by loop', wholeByLoop, ourWhole],
    ];
}

function printRow(name, theirs, ours) {
    const numbers = [theirs.toFixed(1), ours.toFixed(2), (theirs / ours).toFixed(1)];
    console.log(name.padEnd(16), ...numbers.map((text) => text.padStart(12)));
}

async function compare(program, path) {
    const model = await load(path);
    const row = play(program, path);
    const frames = row.frames;
    let worst = 0;
    for (const frame of new Set([0, frames >> 2, frames >> 1, frames - 1]))
        for (const stage of ['skin', 'loop'])
            worst = Math.max(worst, difference(model, program, path, frame, stage));

    console.log(`\n${basename(path)}: clip "${row.clip}", ${frames} frames, ${row.joints} joints, `
        + `${row.vertices} vertices; at most ${worst.toExponential(1)} of its size apart`);
    console.log('microseconds'.padEnd(16),
        ...['three.js', 'bindpose', 'ratio'].map((text) => text.padStart(12)));
    for (const line of measure(model, program, path, frames)) printRow(...line);
    return worst <= TOLERANCE;
}

const { values, positionals } = parseArgs({
    options: { play: { type: 'string' } },
    allowPositionals: true,
});
if (positionals.length === 0) {
    console.error('usage: node three.mjs [--play PROGRAM] FILE.glb...');
    process.exit(2);
}
const program = values.play
    ?? fileURLToPath(new URL('../../build/release/bench/bench_play', import.meta.url));
console.log(`three.js r${REVISION}, Node ${process.version}, ${process.arch}`);
for (const path of positionals)
    try {
        if (!(await compare(program, path))) throw new Error(`${path}: the positions differ`);
    } catch (error) {
        console.error(error.message);
        process.exitCode = 1;
    }
