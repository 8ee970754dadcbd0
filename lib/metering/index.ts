export { readServiceStorage, readStoredBytes } from './stored-bytes';
export { getAssetUsage, getDayUsage, getUsage } from './get-usage';
export {
  type AssetViews,
  type Delivered,
  type DeliveredBatch,
  forgetOldDelivered,
  recordDelivered,
} from './record-delivered';
