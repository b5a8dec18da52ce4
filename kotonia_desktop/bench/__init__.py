"""Figures about the app on this machine, as commands: never a test, because a busy machine is no defect."""
