"""Lee & Scott, Nested support vector machines (2010), section VI: computed anew."""
