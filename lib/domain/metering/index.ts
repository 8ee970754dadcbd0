export { readServiceStorage, readStoredBytes } from './stored-bytes';
export { getTotalViews } from './total-views';
export { getAssetUsage, getDayUsage, getUsage } from './get-usage';
export {
  type AssetViews,
  type Delivered,
  type DeliveredBatch,
  expireDelivered,
  recordDelivered,
} from './record-delivered';
