// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the bindpose authors

/*
 * Runs a WebAssembly program over WASI in Node, with its arguments and the current folder, and ends
 * with its exit status; a trap, such as a failed assert, ends with another than 0 too.
 *
 *     node run_wasi.mjs PROGRAM.wasm [ARGUMENT...]
 */
import { readFile } from 'node:fs/promises';
import process from 'node:process';

process.removeAllListeners('warning'); // node:wasi is called experimental on each run
const { WASI } = await import('node:wasi');

const args = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args, preopens: { '.': '.' }, returnOnExit: true });
const program = await WebAssembly.compile(await readFile(args[0]));
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const instance = await WebAssembly.instantiate(program, imports);
process.exitCode = wasi.start(instance);
