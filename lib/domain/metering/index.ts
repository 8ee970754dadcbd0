export { readServiceStorage, readStoredBytes } from './stored-bytes';
export { toMinutes } from './read-usage';
export { getAssetUsage, getDayUsage, getUsage } from './get-usage';
export {
  type AssetViews,
  type Delivered,
  type DeliveredBatch,
  expireDeliveredDays,
  recordDelivered,
} from './record-delivered';
