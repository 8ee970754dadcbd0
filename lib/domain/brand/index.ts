export { findBrand, getBrand, updateBrand } from './brand';
export {
  deleteLogo,
  readLogoToken,
  removeLogosOfDeletedTeams,
  removeOrphanedLogos,
  requestLogoUpload,
  setLogo,
} from './logo';
