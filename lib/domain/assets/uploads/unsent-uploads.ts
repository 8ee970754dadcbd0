/** Uploads of which nothing has arrived, or nothing is kept. */
export const unsentUploads = {
  phase: 'waiting',
  uploadLease: null,
  sourceType: 'directUpload',
  sourceAssetId: null,
  reservedBytes: 0,
} as const;
