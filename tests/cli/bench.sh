# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the bindpose authors

# What `bench` measures, and in which form. The times are the machine's: only their places are here.

walker=$SOURCE/assets/walker.glb
bench() {
    "$BINDPOSE" bench "$@" --seconds 0.001
}

# A line for each row: what, how many of it, how long that takes, how long one takes.
bench "$walker" --cpu scalar --threads 1 |
    sed 's/  */ /g; s/ [0-9][0-9.]* [nµm]*s/ T/g; s/ [0-9][0-9.]* %/ P %/'

# A column for plain C and one for the best there is, the same where that is plain C.
bench "$walker" --threads 1 | sed -n 3p |
    sed 's/  */ /g; s/ scalar [a-z0-9]* ratio / scalar /'

# JSON: the rows, and what is known of each way of doing them. Without OpenMP there are no threads.
bench "$walker" --clip walk --threads 2 --json >bench.json
sed '/"file"/d; /"lanes"/d; s/"cpu":"[a-z0-9]*"/"cpu":C/; s/threads":[12]/threads":N/' bench.json
grep -o '"row":.*,"lanes"' bench.json | grep -v skin_threads
number='[0-9.e+]*'
lane='{"cpu":"[a-z0-9]*","threads":[12],"batches":[1-9][0-9]*,"low_ns":'$number
lane=$lane',"median_ns":'$number',"high_ns":'$number',"ratio":'$number'}'
grep '"lanes"' bench.json | grep -v '"lanes":\['"$lane"'\(,'"$lane"'\)*\]},*$'
grep '"lanes"' bench.json | grep -v '"ratio":1}[],]' # the first is what others are compared with

# Standard input is read once. Without a clip the rest pose; without nodes there is no frame.
bench - --threads 1 <"$walker" | sed 's/   .*//'
echo '{"asset":{"version":"2.0"},"nodes":[{}]}' >node.gltf
bench node.gltf --quiet | sed 's/   .*//'
echo '{"asset":{"version":"2.0"}}' >empty.gltf
bench empty.gltf --quiet | sed -n 's/^ *load .*/load/p'

for arguments in '--clip run' '--clip 2'; do
    # shellcheck disable=SC2086 # words
    bench "$walker" $arguments
    echo "exit $?"
done
bench nothing.glb
echo "exit $?"
