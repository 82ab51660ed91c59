/* The compiled BPF programs, as data. */
    .section .rodata
    .balign 8
    .global programs_object, programs_object_end
programs_object:
    .incbin "programs.bpf.o"
programs_object_end:
    .section .note.GNU-stack,"",%progbits
