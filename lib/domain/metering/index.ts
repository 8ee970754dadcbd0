export { readServiceStorage, readStoredBytes } from './stored-bytes';
export { minutesOf } from './read-usage';
export { getAssetUsage, getDayUsage, getUsage } from './get-usage';
export {
  type AssetViews,
  type Delivered,
  type DeliveredBatch,
  expireDelivered,
  recordDelivered,
} from './record-delivered';
