export { findBrand, getBrand, updateBrand } from './brand';
export {
  deleteLogo,
  readLogoToken,
  removeLogosOfDeletedAccounts,
  removeOrphanedLogos,
  requestLogoUpload,
  setLogo,
} from './logo';
