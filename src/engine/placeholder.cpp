int emend_engine_placeholder() { return 0; }
