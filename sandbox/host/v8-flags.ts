/**
 * How V8 compiles in a process of isolates that live for a few evaluations. Without its baseline compiler a program's
 * first evaluation takes two thirds of the processor time. Its first optimising compiler begins after ten times as many
 * calls as it would: with 400, it was half of a first program's processor time, for functions of the guest that hardly
 * ran again. What is hot is optimised all the same, no later than before as far as can be seen (bench/README.md).
 */
export const V8_FLAGS = '--no-sparkplug --invocation-count-for-maglev=4000';
