// Tasks, conversations and importing, in the real window.
