export { startExport, completeExport, type IpfsCopy } from './processing/complete-export';
export { cancelTask } from './processing/cancel-task';
export { createClip, readClipWork, type ClipWork } from './processing/create-clip';
export { createViewerClip } from './processing/viewer-clip';
export { createRecordingAsset, importRecording } from './processing/create-recording-asset';
export { deleteAsset, restoreAsset } from './delete-asset';
export { replaceAsset } from './processing/replace-asset';
export { completeAsset } from './processing/complete-asset';
export { exportAsset } from './processing/export-asset';
export { expireUploads } from './uploads/expire-uploads';
export {
  type LocatedAsset,
  type UnreadyAsset,
  findAssetPlayback,
  findUnreadyAsset,
  locateAsset,
  findPosters,
} from './locate-asset';
export { claimUpload, findUploadMachine } from './uploads/upload-machine';
export { findReceivedUpload, readUploadToken } from './uploads/upload-token';
export { getAsset, getAssetPreview, listAssets, listClips } from './list-assets';
export { importAsset } from './processing/import-asset';
export { findIpfsContent, storeIpfsBlocks, type IpfsBlock, type IpfsContent } from './ipfs/ipfs-blocks';
export {
  type InputAsset,
  openExportSecrets,
  readOutputAsset,
  readInputAsset,
} from './processing/read-work-input';
export {
  deleteAssetPoster,
  isPosterUsed,
  readAssetPosterToken,
  deleteOrphanedPosters,
  requestAssetPosterUpload,
  setAssetPoster,
} from './poster';
export { deleteBytes } from './delete-bytes';
export { deleteOrphans } from './delete-orphans';
export { deleteImportedUploads } from './uploads/delete-imported-uploads';
export {
  type CompletedPutUpload,
  findCompletedPutUpload,
  isWaitingOrUploading,
  requestUpload,
} from './uploads/request-upload';
export {
  completeRenditions,
  evictRenditions,
  findWatchableAsset,
  listDueRenditions,
  recordRenditionUse,
  notifyRenditionEnd,
  type UsedRendition,
} from './renditions';
export { readAcceptedMedia, importRules } from './processing/requested-conversion';
export { retryTask } from './processing/retry-task';
export {
  startUpload,
  interruptUpload,
  reserveUploadedBytes,
  reserveUploadQuota,
  completeUpload,
  failUpload,
  renewUploadLease,
  type UploadAttempt,
} from './uploads/upload-attempt';
export {
  completeStoryboard,
  isStoryboardDue,
  listDueStoryboards,
  planStoryboards,
  postponeStoryboard,
  readDueStoryboard,
  type PlannedStoryboard,
  type DueStoryboard,
} from './processing/storyboards';
export { isWatchedSince, listReadyFiles, recordStoredBytes, type ReadyFiles } from './processing/ready-files';
export type { TextOfFile } from './tracks/texts-of-file';
export { addTrack, deleteTrack, listTracks, readTrackText, updateTrack } from './tracks/tracks';
export {
  completeTranscription,
  cuesProblem,
  transcribeAsset,
  type Transcription,
} from './tracks/transcribe-asset';
export { transcodeAsset, transcodeAssetById } from './processing/transcode-asset';
export { updateAsset } from './update-asset';
export {
  startProcessing,
  addStoredBytes,
  failProcessing,
  interruptProcessing,
  RunLostError,
  releaseProcessing,
  reportProcessing,
  retryAfterWorkerDeath,
} from './processing/process-asset';
export { mp4UrlOf, playbackUrlOf } from './serialize';
