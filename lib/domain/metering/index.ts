export { readServiceStorage, readStoredBytes } from './stored-bytes';
export { getTotalViews } from './total-views';
export { getAssetUsage, getDayUsage, getUsage } from './get-usage';
export {
  type AssetViews,
  type Delivered,
  type DeliveredBatch,
  forgetOldDelivered,
  recordDelivered,
} from './record-delivered';
