export { findBrand, getBrand, updateBrand } from './brand';
export {
  deleteLogo,
  readLogoToken,
  deleteLogosOfDeletedTeams,
  deleteOrphanedLogos,
  requestLogoUpload,
  setLogo,
} from './logo';
