package rev20250618

// This revision has no tasks.
