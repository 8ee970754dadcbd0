-- CreateTable
CREATE TABLE "IpfsBlock" (
    "cid" BYTEA NOT NULL,
    "root" TEXT NOT NULL,
    "start" BIGINT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "nodeAt" INTEGER,
    "nodeBytes" INTEGER,

    CONSTRAINT "IpfsBlock_pkey" PRIMARY KEY ("cid","root")
);

-- CreateIndex
CREATE INDEX "IpfsBlock_root_idx" ON "IpfsBlock"("root");

-- CreateIndex
CREATE INDEX "Asset_cid_idx" ON "Asset"("cid");

-- CreateIndex
CREATE INDEX "Asset_nftMetadataCid_idx" ON "Asset"("nftMetadataCid");
