export { deleteAsset } from './delete-asset';
export { exportAsset } from './export-asset';
export { findAssetPlayback } from './find-asset-playback';
export { getAsset } from './get-asset';
export { importAsset } from './import-asset';
export { listAssets } from './list-assets';
export { requestUpload } from './request-upload';
export { transcodeAsset, transcodeAssetById } from './transcode-asset';
export { updateAsset } from './update-asset';
