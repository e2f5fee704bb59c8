"""A simultaneous on several sites: its étuis go out in a sealed file, its results come in as archives."""
