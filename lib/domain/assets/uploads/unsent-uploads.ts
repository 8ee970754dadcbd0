/** Prisma `where` object for uploads that have no stored bytes. */
export const unsentUploadFilter = {
  phase: 'waiting',
  uploadLease: null,
  sourceType: 'directUpload',
  sourceAssetId: null,
  reservedBytes: 0,
} as const;
