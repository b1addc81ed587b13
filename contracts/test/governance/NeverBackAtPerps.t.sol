// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";
import {DeadAssetShieldTest} from "../regressions/DeadAssetShield.t.sol";
import {DeleveragedPrincipalTest} from "../regressions/DeleveragedPrincipal.t.sol";
import {DustInFrontOfTheBookTest} from "../regressions/DustInFrontOfTheBook.t.sol";
import {MarkOfOneInstantTest} from "../regressions/MarkOfOneInstant.t.sol";

/// Sets up a market with the loosest parameters that a perpetual may have: the highest leverage,
/// the oldest index that it allows, no fees, the smallest order and the smallest depth that counts.
abstract contract LoosestMarket is LiquidationSetup {
    uint16 internal constant LEVERAGE_HIGHEST = 50;
    uint16 private constant AGE_HIGHEST = 172; // 50 * 50 * 172 <= 432,000
    uint72 private constant ORDER_LOWEST = 2.5e18; // of which 400 reach the least depth

    function _loosen(uint16 leverage) internal {
        PerpParameters memory parameters = _parameters();
        parameters.minOrderValue = ORDER_LOWEST;
        (parameters.makerFee, parameters.takerFee) = (0, 0);
        parameters.maxLeverage = leverage;
        vm.startPrank(OWNER);
        perps.change(market, parameters);
        perps.setIndexAgeMax(market, AGE_HIGHEST);
        vm.stopPrank();
    }
}

/// Repeats the attacks with a mark made in one transaction.
contract MarkAtTheLoosestTest is MarkOfOneInstantTest, LoosestMarket {
    function setUp() public override(MarkOfOneInstantTest, LiquidationSetup) {
        super.setUp();
        _loosen(LEVERAGE_HIGHEST);
    }
}

/// Repeats the attacks with dust that stops takers.
contract DustAtTheLoosestTest is DustInFrontOfTheBookTest, LoosestMarket {
    function setUp() public override(DustInFrontOfTheBookTest, LiquidationSetup) {
        super.setUp();
        _loosen(_parameters().maxLeverage); // its accounts in distress are so because of it
    }
}

/// Repeats the attacks with a dead asset as a shield.
contract DeadAssetAtTheLoosestTest is DeadAssetShieldTest, LoosestMarket {
    function setUp() public override(DeadAssetShieldTest, LiquidationSetup) {
        super.setUp();
        _loosen(_parameters().maxLeverage); // as above
    }
}

/// Repeats the attacks on the principal of winners.
contract PrincipalAtTheLoosestTest is DeleveragedPrincipalTest, LoosestMarket {
    function setUp() public override(DeleveragedPrincipalTest, LiquidationSetup) {
        super.setUp();
        _loosen(LEVERAGE_HIGHEST);
    }
}
