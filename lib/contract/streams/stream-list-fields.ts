/**
 * Fields of streams for `filters` and `order`. `column` is the name of the database column, if it differs from the name of the
 * field; `sortColumn` is the column to sort by, if that is another one.
 */
export const streamListFields = {
  id: { type: 'uuid' },
  name: { type: 'text' },
  userId: { type: 'uuid', column: 'teamId' },
  parentId: { type: 'uuid', nullable: true },
  playbackId: { type: 'text' },
  creatorId: { type: 'text', nullable: true },
  isActive: { type: 'boolean' },
  record: { type: 'boolean' },
  suspended: { type: 'boolean' },
  isHealthy: { type: 'boolean', nullable: true },
  lastSeen: { type: 'timestamp', nullable: true, sortColumn: 'listedAt' },
  /**
   * The same column as `lastSeen`, but also the one to sort by: null until media arrives. Nulls are last in both sort
   * directions.
   */
  lastLive: { type: 'timestamp', nullable: true, column: 'lastSeen' },
  createdAt: { type: 'timestamp' },
  startsAt: { type: 'timestamp', nullable: true },
  sourceSegments: { type: 'int' },
  transcodedSegments: { type: 'int' },
  sourceSegmentsDuration: { type: 'float' },
  transcodedSegmentsDuration: { type: 'float' },
} as const;
