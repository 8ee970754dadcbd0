export { beginExport, completeExport, type IpfsCopy } from './work/complete-export';
export { cancelTask } from './work/cancel-task';
export { createRecordingAsset } from './work/create-recording-asset';
export { deleteAsset, restoreAsset } from './delete-asset';
export { exportAsset } from './work/export-asset';
export { expireUploads } from './uploads/expire-uploads';
export {
  type LocatedAsset,
  type UnreadyAsset,
  findAssetPlayback,
  findUnreadyAsset,
  locateAsset,
} from './locate-asset';
export { findReceivedUpload, readUploadToken } from './uploads/upload-token';
export { getAsset, listAssets } from './list-assets';
export { importAsset } from './work/import-asset';
export { findIpfsContent, keepIpfsBlocks, type IpfsBlock, type IpfsContent } from './ipfs/ipfs-blocks';
export { type WorkInput, openExportSecrets, readAssetForWork, readWorkInput } from './work/read-work-input';
export { removeBytes } from './remove-bytes';
export { removeOrphans } from './remove-orphans';
export {
  type RepeatableUpload,
  endRepeatableUpload,
  findRepeatableUpload,
  isUploadOpen,
  requestUpload,
} from './uploads/request-upload';
export { retryTask } from './work/retry-task';
export {
  beginUpload,
  breakUpload,
  receiveUpload,
  refuseUpload,
  renewUpload,
  type UploadAttempt,
} from './uploads/send-upload';
export {
  endStoryboardOrder,
  isStoryboardDue,
  listDueStoryboards,
  planStoryboards,
  postponeStoryboard,
  readStoryboardOrder,
  type PlannedStoryboard,
  type StoryboardOrder,
} from './work/storyboards';
export { transcodeAsset, transcodeAssetById } from './work/transcode-asset';
export { updateAsset } from './update-asset';
export {
  beginWork,
  completeAsset,
  failWork,
  interruptWork,
  RunLostError,
  releaseWork,
  reportWork,
  reviveLostWork,
} from './work/work-on-asset';
