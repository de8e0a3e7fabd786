"""Indices of the scalars that compiled code keeps in two arrays of a PathState."""

# Of ``tally``: points on the margin, watched and in L; events without progress; points touched
# since the last synchronisation; events since the watched points were chosen.
MARGIN, WATCHED, LEFT, IDLE, TOUCHED, SINCE = 0, 1, 2, 3, 4, 5
# Of ``clock``: T now and at the end; sizes of T and of residuals; the residual that asks for a
# correction; what counts as zero for a gap and a slope.
NOW, END, LENGTH, SCALE, ADRIFT, ZERO_GAP, ZERO_SLOPE = 0, 1, 2, 3, 4, 5, 6
# T at the last synchronisation; arc and its limit (see watch.py); largest rate of the target;
# squared norm of the field of moving bounds; T at the last progress and at the last step written;
# distance from the end within which nothing happens.
SYNC, ARC, LIMIT, HEAD, SPREAD, MARK, WRITTEN, LAST = 7, 8, 9, 10, 11, 12, 13, 14
