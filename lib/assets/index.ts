export { beginExport, completeExport, type IpfsCopy } from './complete-export';
export { cancelTask } from './cancel-task';
export { createRecordingAsset } from './create-recording-asset';
export { deleteAsset } from './delete-asset';
export { exportAsset } from './export-asset';
export { expireUploads } from './expire-uploads';
export { findAssetPlayback } from './find-asset-playback';
export { findUnreadyAsset, type UnreadyAsset } from './find-unready-asset';
export { findReceivedUpload } from './find-received-upload';
export { getAsset } from './get-asset';
export { importAsset } from './import-asset';
export { findIpfsContent, keepIpfsBlocks, type IpfsBlock, type IpfsContent } from './ipfs-blocks';
export { listAssets } from './list-assets';
export { locateAsset, type LocatedAsset } from './locate-asset';
export { readAssetForWork } from './read-asset-for-work';
export { openExportSecrets, readWorkInput, type WorkInput } from './read-work-input';
export { removeBytes } from './remove-bytes';
export { removeOrphans } from './remove-orphans';
export { requestUpload } from './request-upload';
export { restoreAsset } from './restore-asset';
export { retryTask } from './retry-task';
export {
  beginUpload,
  breakUpload,
  receiveUpload,
  refuseUpload,
  renewUpload,
  type UploadAttempt,
} from './send-upload';
export {
  endStoryboardOrder,
  isStoryboardDue,
  listDueStoryboards,
  planStoryboards,
  postponeStoryboard,
  readStoryboardOrder,
  type PlannedStoryboard,
  type StoryboardOrder,
} from './storyboards';
export { transcodeAsset, transcodeAssetById } from './transcode-asset';
export { updateAsset } from './update-asset';
export {
  endRepeatableUpload,
  findRepeatableUpload,
  isUploadOpen,
  type RepeatableUpload,
} from './repeat-upload';
export { readUploadToken } from './upload-token';
export {
  beginWork,
  completeAsset,
  failWork,
  interruptWork,
  RunLostError,
  releaseWork,
  reportWork,
  reviveLostWork,
} from './work-on-asset';
