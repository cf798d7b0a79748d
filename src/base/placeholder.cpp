int emend_base_placeholder() { return 0; }
