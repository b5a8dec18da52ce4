"""llama.cpp's own server in a process of its own, from the package `xllamacpp`: the peer that ours is compared with.

Run as `python -m kotonia_desktop.bench.peer_child JSON`; prints its address, and ends when its input does. With
`same` it runs as ours does (no flash attention, f16, step); without, as it comes: only the model, the window, a free
port and the threads are given. The threads are ours in both cases: on two cores one more is the whole result.
"""

import json
import os
import sys
from typing import Any


def start(xllamacpp: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401  (a package without types)
    """Start the server of the package; `options` are the values that `Peer` gives."""
    params = xllamacpp.CommonParams()
    params.model.path = options["model"]
    params.n_ctx = options["window"]
    params.warmup = False
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options["threads"]
    if options["same"]:
        params.n_parallel = 1
        params.n_batch = params.n_ubatch = options["step"]
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        params.fit_params = False
    return xllamacpp.Server(params)


def main() -> None:
    """Serve until stdin ends."""
    options = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the server prints
    import xllamacpp

    server = start(xllamacpp, options)
    said = {
        "address": server.listening_address,
        "build": str(xllamacpp.BUILD_INFO),
        "processor": str(xllamacpp.get_system_info()),
    }
    answers.write(json.dumps(said) + "\n")
    answers.flush()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
