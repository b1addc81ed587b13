import type { Routes } from './route.ts'

export const fundingRoutes: Routes = () => {}
