"""What stops the building of the site."""


class BuildError(Exception):
    """A page that cannot be drawn; the message names page and place."""
