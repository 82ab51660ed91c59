/* The compiled BPF program, as data. */
    .section .rodata
    .balign 8
    .global exec_object, exec_object_end
exec_object:
    .incbin "exec.bpf.o"
exec_object_end:
    .section .note.GNU-stack,"",%progbits
