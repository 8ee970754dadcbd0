/** Prisma `where` object for unsent uploads: no bytes are stored, and no attempt is in progress. */
export const unsentUploadFilter = {
  phase: 'waiting',
  uploadLease: null,
  sourceType: 'directUpload',
  // Transcodes have the same source type.
  sourceAssetId: null,
  reservedBytes: 0,
} as const;
