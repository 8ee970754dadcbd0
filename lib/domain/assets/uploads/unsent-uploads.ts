/** Prisma `where` object for uploads that have no stored bytes. */
export const unsentUploadFilter = {
  phase: 'waiting',
  uploadLease: null,
  sourceType: 'directUpload',
  // Transcodes have the same source type.
  sourceAssetId: null,
  reservedBytes: 0,
} as const;
