"""What leaves the app: pictures, films, pages and links."""
