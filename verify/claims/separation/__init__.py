"""Family `separation`."""
