// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPerpsEvents, PerpParameters} from "../../src/interfaces/IPerps.sol";
import {LiquidationSetup} from "../perps/LiquidationSetup.sol";

/// One fund backs every market. An account that can move the price of one market, or finds no buyer
/// there, could otherwise hand a position of any size to it.
contract OneMarketTakesTheFundTest is LiquidationSetup {
    address private constant SHORT = address(0xAAA1);
    address private constant LONG = address(0xAAA2);
    uint64 private constant MANY = 490_000; // worth 980,000
    uint256 private constant FUND = 100_000e18;

    uint40 private short;
    uint40 private long;

    function setUp() public override {
        super.setUp();
        _cover(250_000e18, 2_000);
        _insure(FUND);
        _deposit(SHORT, 200_000e6);
        _deposit(LONG, 200_000e6);
        (short, long) = (accounts.accountOf(SHORT), accounts.accountOf(LONG));
    }

    /// A pair moves the price by a twentieth so that the short is taken over, and then on:
    /// insurance holds 200,000 and loses a fifth of its fund; then the long pays.
    function test_a_pair_that_moves_the_price_gains_the_markets_part_at_most() public {
        _withdraw(SHORT, 150_000e6);
        int256 brought = _equity(short) + _equity(long);
        _ask(SHORT, TICK, MANY);
        _bid(LONG, TICK, MANY);
        _index(2_100e18);
        _liquidate(short);
        vm.assertEq(_lots(INSURANCE), -95_238); // at 2,100: 199,999.8
        _closeAgainst(short, long);
        for (uint256 price = 2_200e18; price <= 2_700e18; price += 100e18) {
            _index(price);
            _closeInsurance(long);
        }
        vm.assertEq(_lots(INSURANCE), 0, "closed against the long");
        // One step of the price farther than a fifth.
        uint256 most = FUND / 5 + 95_238 * 0.1e18;
        vm.assertGt(_equity(INSURANCE), int256(FUND - most), "insurance");
        vm.assertLt(_equity(short) + _equity(long) - brought, int256(most), "gain");
        _takesNoMore();
    }

    /// Winners take the lots beyond insurance's limits. The equity that insurance takes over with a
    /// position becomes its own, and pays for a few more lots.
    function _closeAgainst(uint40 loser, uint40 winner) private {
        for (uint256 i = 0; i < 20; i++) {
            try perps.liquidate(loser, market, none) {
                continue;
            } catch {
                break;
            }
        }
        _deleverage(loser, winner);
        vm.assertEq(_lots(loser), 0);
    }

    /// The loss of the market counts until its owner resets it.
    function _takesNoMore() private {
        _index(2_000e18);
        _index(1_400e18);
        vm.expectRevert(
            abi.encodeWithSelector(IPerpsEvents.InsuranceExhausted.selector, _equity(INSURANCE))
        );
        _liquidate(dave);
    }

    /// Closes insurance's position against the winner's once the market has cost it its part.
    function _closeInsurance(uint40 winner) private {
        if (_lots(INSURANCE) == 0) return;
        try perps.nominate(INSURANCE, winner, market) {
            _pass(NOMINATION_SECONDS);
            _carryOut(INSURANCE);
        } catch (bytes memory reason) {
            vm.assertEq(bytes32(bytes4(reason)), bytes32(IPerpsEvents.InsuranceSuffices.selector));
        }
    }

    /// An account that is closed immediately at the index pays for it; at a leverage of 50 a
    /// position of a million could be handed over for 0.6 %.
    function test_a_position_that_no_book_takes_is_handed_over_in_part() public {
        PerpParameters memory parameters = _parameters();
        parameters.maxLeverage = 50;
        _change(parameters);
        _withdraw(LONG, 180_000e6);
        _ask(CAROL, TICK, MANY);
        _bid(LONG, TICK, MANY);
        _index(1_973e18);
        _liquidate(long);
        vm.assertEq(_lots(INSURANCE), 101_368); // 200,000 of 966,770
        _closeAgainst(long, carol);
        uint256 held = uint256(uint64(_lots(INSURANCE))) * 1.973e18;
        vm.assertLe(
            held, uint256(_equity(INSURANCE)) * 2, "no more than what ten times a fifth is"
        );
    }

    /// The market's only quotes belong to one account, which is short what insurance is long, 1 %
    /// above a constant index. Funding uses up insurance's allowed loss, and then the short pays.
    function test_funding_that_a_counterparty_sets_costs_no_more_than_the_markets_part() public {
        _withdraw(LONG, 150_000e6);
        _ask(SHORT, TICK, MANY);
        _bid(LONG, TICK, MANY);
        _index(1_930e18);
        _liquidate(long);
        vm.assertEq(_lots(INSURANCE), 103_626);
        _closeAgainst(long, short);
        _bid(BOB, 194_900, 700);
        _ask(BOB, 195_000, 700);
        int256 before = _equity(INSURANCE);
        for (uint256 i = 0; i < 72 * 60 && _lots(INSURANCE) != 0; i++) {
            _pass(60);
            _index(1_930e18);
            perps.poke(market);
            if (i % 60 == 0) _closeInsurance(short);
        }
        vm.assertLt(before - _equity(INSURANCE), int256(FUND) * 21 / 100, "paid");
    }
}
