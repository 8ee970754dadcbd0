export { ApiError } from './api-error';
