// Memory and knowledge, in the real window.
