"""What a Blender answers with."""
