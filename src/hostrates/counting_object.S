/* The compiled BPF programs, as data. */
    .section .rodata
    .balign 8
    .global counting_object, counting_object_end
counting_object:
    .incbin "counting.bpf.o"
counting_object_end:
    .section .note.GNU-stack,"",%progbits
