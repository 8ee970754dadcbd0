-- AlterTable
ALTER TABLE "Node" ADD COLUMN     "machineId" UUID;

-- CreateTable
CREATE TABLE "Installation" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "secretFingerprint" TEXT NOT NULL,
    "storage" TEXT NOT NULL,

    CONSTRAINT "Installation_pkey" PRIMARY KEY ("id")
);

-- One row.
ALTER TABLE "Installation" ADD CONSTRAINT "Installation_one" CHECK ("id" = 1);
