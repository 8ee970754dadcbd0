export { ApiError } from './api-error';
export { call, callList, urlOf, type CallInput, type CallOptions } from './call';
