"""Replace many points by few weighted centres, and certify what that changes."""
