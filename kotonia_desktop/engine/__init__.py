"""llama.cpp in its child process: the wire, the turn grammar, sequences, sampling, jobs."""
