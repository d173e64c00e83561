package rev20250326

// This revision has no tasks.
