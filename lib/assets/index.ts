export { createRecordingAsset } from './create-recording-asset';
export { deleteAsset } from './delete-asset';
export { exportAsset } from './export-asset';
export { expireUploads } from './expire-uploads';
export { findAssetPlayback } from './find-asset-playback';
export { findReceivedUpload } from './find-received-upload';
export { getAsset } from './get-asset';
export { importAsset } from './import-asset';
export { listAssets } from './list-assets';
export { requestUpload } from './request-upload';
export {
  beginUpload,
  breakUpload,
  receiveUpload,
  refuseUpload,
  renewUpload,
  type UploadTurn,
} from './send-upload';
export { transcodeAsset, transcodeAssetById } from './transcode-asset';
export { updateAsset } from './update-asset';
export { readUploadToken } from './upload-token';
