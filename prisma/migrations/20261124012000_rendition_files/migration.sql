-- CreateTable
CREATE TABLE "RenditionFile" (
    "key" TEXT NOT NULL,
    "assetId" UUID NOT NULL,
    "bytes" INTEGER NOT NULL,
    "usedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RenditionFile_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "RenditionFile_usedAt_idx" ON "RenditionFile"("usedAt");

-- CreateIndex
CREATE INDEX "RenditionFile_assetId_idx" ON "RenditionFile"("assetId");

-- AddForeignKey
ALTER TABLE "RenditionFile" ADD CONSTRAINT "RenditionFile_assetId_fkey" FOREIGN KEY ("assetId") REFERENCES "Asset"("id") ON DELETE CASCADE ON UPDATE CASCADE;
