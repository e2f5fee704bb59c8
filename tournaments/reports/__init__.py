"""The published reports of sessions and tournaments as typed values, and the codec that stores and reads them."""
