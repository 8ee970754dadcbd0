export { type NodeIdentity, announceNode, findNodes, removeStaleNodes, withdrawNode } from './nodes';
