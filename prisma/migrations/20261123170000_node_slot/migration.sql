-- Which of several processes of its role on its machine.
ALTER TABLE "Node" ADD COLUMN "slot" INTEGER NOT NULL DEFAULT 1;
