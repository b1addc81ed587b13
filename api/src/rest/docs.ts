import type { Routes } from './route.ts'

export const docsRoutes: Routes = () => {}
